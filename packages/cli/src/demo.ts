import { existsSync } from 'node:fs';

const tour = new URL('../../../examples/tour.ts', import.meta.url);

/** Runs the same tour as `npm start`. It prints as it goes. */
export async function runDemo(): Promise<void> {
  if (!existsSync(tour)) {
    throw new Error('the demo is part of the repository: clone it and run "npm ci && npm start".');
  }
  await import(tour.href);
}
