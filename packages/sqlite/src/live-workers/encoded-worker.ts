// The calls of workers on their way to the writer, where they commit together with everything else.

export type EncodedWorker =
  | readonly [
      kind: 'report_worker',
      name: string,
      running: number,
      isStopping: boolean,
      facts: string,
    ]
  | readonly [kind: 'forget_worker', name: string];
