import { type BreakerStateName, circuitBreaker, isRetryError, pipeline } from '@redrive/core';
import { print, type Stage, waitMs } from './stage.ts';

const CALLS = 26;
const EVERY_MS = 50;
/** The dependency is dead from the first of these calls until before the second. */
const DEAD = { from: 6, until: 17 };

/** A breaker that opens when a dependency dies, and closes when a probe has found it back. */
export async function dyingDependency(stage: Stage): Promise<void> {
  const { clock, paint } = stage;
  print(
    stage,
    `   One call every ${EVERY_MS} ms. Three failures in a row open the breaker; 250 ms later`,
    '   it lets one call through to see.',
    '',
    `   dependency  ${row((call) => (isAlive(call) ? '●' : paint('dim', '○')))}`,
  );
  const breaker = circuitBreaker({ key: 'stock', threshold: 3, timeoutMs: 250, clock });
  const stock = pipeline({ policy: { id: 'stock', maxAttempts: 1 }, breaker });
  const states: BreakerStateName[] = [];
  let reached = 0;

  stage.write('   calls      ');
  for (let call = 0; call < CALLS; call++) {
    const answer = stock.run(
      () => {
        if (isAlive(call)) return;
        reached += 1;
        throw new Error('connection refused');
      },
      { clock },
    );
    stage.write(
      await answer.then(
        () => paint('green', ' ✓'),
        (error) => markOf(stage, error),
      ),
    );
    states.push(breaker.state);
    await waitMs(stage, EVERY_MS);
  }
  print(
    stage,
    '',
    `   breaker     ${drawStates(stage, states)}`,
    '',
    paint('dim', '   ● well  ○ dead    ✓ answered  ✗ failed  · refused at once'),
    `   Of ${DEAD.until - DEAD.from} calls in the outage ${reached} reached the dependency.`,
  );
}

function isAlive(call: number): boolean {
  return call < DEAD.from || call >= DEAD.until;
}

function row(cell: (call: number) => string): string {
  return Array.from({ length: CALLS }, (_, call) => cell(call)).join(' ');
}

function markOf({ paint }: Stage, error: unknown): string {
  const refused = isRetryError(error, 'breaker_open') && error.totalAttempts === 0;
  return refused ? paint('yellow', ' ·') : paint('red', ' ✗');
}

/** `closed──────open────closed`, each state under the calls that saw it. */
function drawStates({ paint }: Stage, states: readonly BreakerStateName[]): string {
  let drawn = '';
  for (const [index, state] of states.entries()) {
    if (state === states[index - 1]) continue;
    const length = states.slice(index).findIndex((later) => later !== state);
    const cells = 2 * (length < 0 ? states.length - index : length) - 1;
    drawn += `${paint(state === 'closed' ? 'green' : 'yellow', state.padEnd(cells, '─').slice(0, cells))} `;
  }
  return drawn.trimEnd();
}
