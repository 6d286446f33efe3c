package io.farnode.cli.broker;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Locale;

/**
 * Plain words for what happened to a file. The message of most file exceptions is nothing but the file's name; what
 * happened is said by their type, which is no word for a user.
 */
public final class FileTrouble {
    private FileTrouble() {}

    /**
     * {@return what happened, in a few words without the file's name}
     *
     * @param e what the file system threw
     */
    public static String words(Exception e) {
        if (e instanceof NoSuchFileException) {
            return "no such file or directory";
        }
        if (e instanceof FileAlreadyExistsException || e instanceof NotDirectoryException) {
            return "there is a file in its place";
        }
        if (e instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (e instanceof DirectoryNotEmptyException) {
            return "the directory is not empty";
        }
        if (e instanceof FileSystemLoopException) {
            return "symbolic links lead in a circle";
        }
        if (e instanceof FileSystemException system && system.getReason() != null) {
            return small(system.getReason());
        }
        if (e instanceof CharacterCodingException) {
            return "not UTF-8 text";
        }
        if (e instanceof IOException && e.getMessage() != null) {
            return small(e.getMessage());
        }
        return e.getMessage() == null ? "it cannot be used" : e.getMessage();
    }

    private static String small(String words) {
        return words.isEmpty() ? words : words.substring(0, 1).toLowerCase(Locale.ROOT) + words.substring(1);
    }
}
