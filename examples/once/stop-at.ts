/** Ends this process as a power failure would, where `STOP_AT` names this place. `once.long.test.ts` stops each program in each place. */
export function stopAt(place: string): void {
  if (process.env.STOP_AT === place) process.kill(process.pid, 'SIGKILL');
}
