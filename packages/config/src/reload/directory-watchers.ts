import { type FSWatcher, watch } from 'node:fs';
import { errorCodeOf } from '../document/read-text-file.ts';

/** As `fs.watch` has it, cut to what is used. */
export type WatchDirectory = (
  directory: string,
  options: { readonly persistent: boolean },
  listener: (event: string, filename: string | null) => void,
) => Pick<FSWatcher, 'close' | 'on'>;

export interface DirectoryWatchers {
  /** Watches exactly these directories (path to identity) from now on. */
  follow(directories: ReadonlyMap<string, string>): void;
  close(): void;
}

interface Watched {
  readonly identity: string;
  readonly watcher: ReturnType<WatchDirectory>;
}

/**
 * One watcher for each directory. Directories are watched rather than files because a watcher stays with the file that
 * had the name at first: after an atomic rename or a swapped link it would have no more events. For the same reason a
 * directory that was replaced by another one gets a new watcher.
 */
export function directoryWatchers(options: {
  readonly keepAlive: boolean;
  readonly onEvent: (filename: string | null) => void;
  /** Called once for each error code, because the next poll would run into the same one. */
  readonly onFailure: (code: string, directory: string) => void;
  readonly watchDirectory?: WatchDirectory | undefined;
}): DirectoryWatchers {
  const { keepAlive, onEvent, onFailure, watchDirectory = watch } = options;
  const watched = new Map<string, Watched>();
  const reported = new Set<string>();

  function drop(directory: string): void {
    watched.get(directory)?.watcher.close();
    watched.delete(directory);
  }

  function failed(directory: string, error: unknown): void {
    const code = errorCodeOf(error);
    // A directory that is gone is not a failure: it is followed again as soon as it is back.
    if (code === 'ENOENT' || reported.has(code)) return;
    reported.add(code);
    onFailure(code, directory);
  }

  function add(directory: string, identity: string): void {
    try {
      const watcher = watchDirectory(directory, { persistent: keepAlive }, (_, filename) => {
        onEvent(filename);
      });
      watcher.on('error', (error) => {
        drop(directory);
        failed(directory, error);
      });
      watched.set(directory, { identity, watcher });
    } catch (error) {
      failed(directory, error);
    }
  }

  return {
    follow(directories) {
      for (const [directory, { identity }] of watched)
        if (directories.get(directory) !== identity) drop(directory);
      for (const [directory, identity] of directories)
        if (!watched.has(directory)) add(directory, identity);
    },
    close() {
      for (const directory of watched.keys()) drop(directory);
    },
  };
}
