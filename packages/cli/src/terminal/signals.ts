import { EXIT } from './exit-codes.ts';

/** The signals that ask a process to end. */
export type StopSignal = 'SIGINT' | 'SIGTERM';

/** The effect of Ctrl-C on a command that does not handle signals itself. */
export function exitOnInterrupt(): void {
  process.exit(EXIT.interrupted);
}

/** Takes the signals of this process until the returned function is called: then Ctrl-C ends it at once again. */
export function takeSignals(listener: (signal: StopSignal) => void): () => void {
  process.off('SIGINT', exitOnInterrupt);
  process.on('SIGINT', listener);
  process.on('SIGTERM', listener);
  return () => {
    process.off('SIGTERM', listener);
    process.off('SIGINT', listener);
    process.on('SIGINT', exitOnInterrupt);
  };
}
