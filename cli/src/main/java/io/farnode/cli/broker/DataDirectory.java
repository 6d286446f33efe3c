package io.farnode.cli.broker;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;

/**
 * The directory in which farnode keeps its broker's data: {@code broker} (the log), {@code streams} (state of the
 * streams application), {@code lock} (held by the one process that runs the broker) and {@code address} (where that
 * broker answers).
 *
 * <p>Ownership is a lock of the operating system, which ends with its process however that process ends. So the address
 * file needs no care after a crash: it means something only while somebody else holds the lock.
 */
public final class DataDirectory implements AutoCloseable {
    private final Path path;
    private final boolean ephemeral;
    private FileChannel lockChannel;
    private FileLock lock;

    private DataDirectory(Path path, boolean ephemeral) {
        this.path = path;
        this.ephemeral = ephemeral;
    }

    /**
     * Opens a directory that is kept, and makes it if it is not there.
     *
     * @param path the directory
     * @return the directory, not owned yet
     * @throws BrokerException if it cannot be made or is no directory
     */
    public static DataDirectory open(Path path) {
        Path absolute = path.toAbsolutePath().normalize();
        try {
            Files.createDirectories(absolute);
        } catch (IOException e) {
            throw new BrokerException(
                    "cannot make the data directory " + absolute + ": " + FileTrouble.words(e)
                            + "; give another --data-dir",
                    e);
        }
        return new DataDirectory(absolute, false);
    }

    /**
     * Makes a directory of its own that is deleted when it is closed.
     *
     * @return the directory, not owned yet
     * @throws BrokerException if it cannot be made
     */
    public static DataDirectory ephemeral() {
        try {
            return new DataDirectory(Files.createTempDirectory("farnode-"), true);
        } catch (IOException e) {
            throw new BrokerException(
                    "cannot make a temporary data directory in " + System.getProperty("java.io.tmpdir") + ": "
                            + FileTrouble.words(e),
                    e);
        }
    }

    /**
     * {@return the directory farnode uses when the user names none: {@code $XDG_DATA_HOME/farnode}, or
     * {@code ~/.local/share/farnode}}
     *
     * @see <a href="https://specifications.freedesktop.org/basedir-spec/latest/">XDG Base Directory Specification</a>
     */
    public static Path standard() {
        String data = System.getenv("XDG_DATA_HOME");
        Path home = data != null && data.startsWith("/")
                ? Path.of(data)
                : Path.of(System.getProperty("user.home"), ".local", "share");
        return home.resolve("farnode");
    }

    /** {@return the directory, absolute} */
    public Path path() {
        return path;
    }

    /** {@return whether it is deleted when it is closed} */
    public boolean isEphemeral() {
        return ephemeral;
    }

    /** {@return where the broker keeps its log} */
    public Path broker() {
        return path.resolve("broker");
    }

    /** {@return where the streams application keeps its state} */
    public Path streams() {
        return path.resolve("streams");
    }

    /**
     * Tries to become the one process that runs a broker here.
     *
     * @return whether this process owns the directory now
     * @throws BrokerException if the lock file cannot be written
     */
    public synchronized boolean own() {
        if (lock != null) {
            return true;
        }
        try {
            FileChannel channel =
                    FileChannel.open(path.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            try {
                lock = channel.tryLock();
            } catch (OverlappingFileLockException e) {
                lock = null;
            }
            if (lock == null) {
                channel.close();
                return false;
            }
            lockChannel = channel;
            Files.deleteIfExists(path.resolve("address"));
            return true;
        } catch (IOException e) {
            throw new BrokerException(
                    "cannot write into the data directory " + path + ": " + FileTrouble.words(e)
                            + "; give another --data-dir",
                    e);
        }
    }

    /**
     * Tells other processes where this directory's broker answers.
     *
     * @param bootstrapServers its address, {@code host:port}
     * @param stays whether it answers until it is told to stop; false = until its process has done its own work
     * @throws BrokerException if the address file cannot be written
     * @throws IllegalStateException if this process does not own the directory
     */
    public synchronized void announce(String bootstrapServers, boolean stays) {
        if (lock == null) {
            throw new IllegalStateException(path + " is not owned by this process");
        }
        try {
            Path next = path.resolve("address.new");
            Files.writeString(
                    next,
                    String.join(
                            "\n",
                            bootstrapServers,
                            Long.toString(ProcessHandle.current().pid()),
                            stays ? "stays" : "passes",
                            ""));
            Files.move(next, path.resolve("address"), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new BrokerException("cannot write " + path.resolve("address") + ": " + FileTrouble.words(e), e);
        }
    }

    /**
     * Where the broker of this directory answers, as its owner announced it. Means something only when {@link #own()}
     * has just returned false.
     *
     * @return the address, or nothing while the owner is still starting
     */
    public Optional<LiveBroker> live() {
        try {
            String[] lines = Files.readString(path.resolve("address"), StandardCharsets.UTF_8)
                    .split("\n");
            if (lines.length < 3) {
                return Optional.empty();
            }
            return Optional.of(new LiveBroker(lines[0], Long.parseLong(lines[1]), lines[2].equals("stays")));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException | NumberFormatException e) {
            throw new BrokerException("cannot read " + path.resolve("address") + ": " + FileTrouble.words(e), e);
        }
    }

    /** Gives the directory back; an ephemeral one is deleted. */
    @Override
    public synchronized void close() {
        try {
            if (lock != null) {
                Files.deleteIfExists(path.resolve("address"));
                lockChannel.close();
                lock = null;
            }
            if (ephemeral) {
                delete(path);
            }
        } catch (IOException e) {
            throw new BrokerException(
                    "cannot leave the data directory " + path + " in order: " + FileTrouble.words(e), e);
        }
    }

    /**
     * A broker that another process runs.
     *
     * @param bootstrapServers its address, {@code host:port}
     * @param pid the process
     * @param stays whether it answers until it is told to stop; false = until its process has done its own work
     */
    public record LiveBroker(String bootstrapServers, long pid, boolean stays) {}

    private static void delete(Path root) throws IOException {
        if (!Files.exists(root)) {
            return;
        }
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) {
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, IOException e) throws IOException {
                Files.deleteIfExists(directory);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
