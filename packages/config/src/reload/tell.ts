/** Calls a listener. What it throws, now or later, is its own affair: it is shown as a warning and stops nothing. */
export function tell(name: string, call: () => unknown): void {
  const failed = (error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    process.emitWarning(`${name} of watchConfig failed: ${reason}`, 'RedriveWarning');
  };
  try {
    void Promise.resolve(call()).catch(failed);
  } catch (error) {
    failed(error);
  }
}
