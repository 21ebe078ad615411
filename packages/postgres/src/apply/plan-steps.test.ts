import type { Command } from '@redrive/durable/store';
import { describe, expect, it } from 'vitest';
import { claimOf, enqueueOf } from '../testing/commands.ts';
import { type Batch, partsOf, planSteps } from './plan-steps.ts';

const NO_ACCOUNT = { id: '', token: 0 };

function settle(id: string): Command {
  // Only the id matters to a plan.
  return { kind: 'settle', settlement: { ...NO_ACCOUNT, id } } as unknown as Command;
}

const tick: Command = { kind: 'tick', limit: 1, actor: { name: 'test' } };

function batch(...commands: Command[]): Batch {
  return { commands, size: commands.length, endsAtMs: 0, abandoned: false };
}

/** The steps, each with the numbers of the batches in it. */
function planned(...batches: Batch[]): string[] {
  return planSteps(batches).map(
    (step) => `${step.kind} ${step.batches.map((one) => batches.indexOf(one as Batch)).join(' ')}`,
  );
}

describe('batches of many callers', () => {
  it('that are too large for one statement are no plain step', () => {
    const large: Batch = { ...batch(enqueueOf('a')), size: 10_000 };
    expect(planned(batch(enqueueOf('b')), large)).toEqual(['plain 0', 'mixed 1']);
  });

  it('go into one step: settlements, new jobs, a claim', () => {
    const batches = [
      batch(claimOf()),
      batch(enqueueOf('a'), enqueueOf('b')),
      batch(settle('c'), settle('d')),
    ];
    expect(planned(...batches)).toEqual(['plain 0 1 2']);
    const [step] = planSteps(batches);
    expect(step).toMatchObject({
      settles: batches[2]?.commands,
      enqueues: batches[1]?.commands,
      claim: batches[0]?.commands[0],
    });
  });

  it('have nothing to do with a rescue', () => {
    const rescue = { ...settle('c'), settlement: { id: 'c', by: 'expired' } } as unknown as Command;
    expect(planned(batch(settle('a')), batch(rescue), batch(claimOf()))).toEqual([
      'plain 0 2',
      'plain 1',
    ]);
  });

  it('need another step for a second claim', () => {
    expect(
      planned(batch(settle('a'), claimOf()), batch(settle('b'), claimOf()), batch(enqueueOf('c'))),
    ).toEqual(['plain 0', 'plain 1 2']);
  });

  it('need another step for a job that is settled or enqueued twice', () => {
    expect(planned(batch(settle('a')), batch(settle('a')))).toEqual(['plain 0', 'plain 1']);
    expect(planned(batch(enqueueOf('a')), batch(enqueueOf('a')))).toEqual(['plain 0', 'plain 1']);
    expect(planned(batch(settle('a')), batch(enqueueOf('a')))).toEqual(['plain 0 1']);
  });
});

describe('a batch of its own', () => {
  it.each<[string, Command[]]>([
    ['has another command', [tick]],
    ['enqueues before it settles', [enqueueOf('a'), settle('b')]],
    ['claims before it enqueues', [claimOf(), enqueueOf('a')]],
    ['claims twice', [claimOf(), claimOf()]],
    ['settles one job twice', [settle('a'), settle('a')]],
    ['enqueues one job twice', [enqueueOf('a'), enqueueOf('a')]],
  ])('is one that %s', (_, commands) => {
    expect(planned(batch(enqueueOf('x')), batch(...commands), batch(enqueueOf('y')))).toEqual([
      'plain 0 2',
      'mixed 1',
    ]);
  });
});

it('notes that follow each other are one part of a mixed step, a note that is written once is its own', () => {
  const note: Command = { kind: 'note', event: 'session', subject: 's', detail: '{}' };
  const once: Command = { ...note, once: { key: 'k', forMs: 1 } };
  const commands = [note, note, enqueueOf('a'), enqueueOf('b'), note, once, note, note, tick, note];
  const lengths = partsOf(commands).map((part) => part.map(({ kind }) => kind).join(' '));
  expect(lengths).toEqual([
    'note note',
    'enqueue enqueue',
    'note',
    'note',
    'note note',
    'tick',
    'note',
  ]);
});
