import type { ControlKind } from '@redrive/durable/store';
import fc from 'fast-check';
import { ACTOR, HANDLERS } from '../store/commands.ts';
import type { Part } from './step.ts';

const KILLS = [
  'all',
  'queue:slow',
  'queue:default',
  ...HANDLERS.map((name) => `operation:${name}`),
  'tenant:',
  'tenant:a',
  'tenant:b',
  'pause:queue:slow',
  'pause:queue:default',
  ...HANDLERS.map((name) => `pause:operation:${name}`),
];

const named: fc.Arbitrary<readonly [ControlKind, string]> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...KILLS).map((key) => ['kill', key] as const) },
  { weight: 1, arbitrary: fc.constantFrom(['gate', 'all'] as const, ['park', 'x'] as const) },
);

/** Writes a document, mostly at the revision that it has. */
const writes: fc.Arbitrary<Part> = fc
  .tuple(named, fc.constantFrom('right', 'right', 'right', 'wrong'), fc.nat(9), fc.boolean())
  .map(([[of, key], expected, n, noted]) => [
    `write ${of} ${key} (${expected} revision)`,
    async ({ model }) => {
      const { all } = await model.controls();
      const found = all.find((control) => control.kind === of && control.key === key);
      const expect = (found?.revision ?? 0) + (expected === 'right' ? 0 : 1);
      const note = noted ? `{"n":${n}}` : undefined;
      return [{ kind: 'control', of, key, expect, document: `{"n":${n}}`, note }];
    },
  ]);

/** Takes documents away: all of them, or work would soon come to an end. */
const removals: fc.Arbitrary<Part> = fc.boolean().map((noted) => [
  'take all controls away',
  async ({ model }) => {
    const note = noted ? '{"over":true}' : undefined;
    const { all } = await model.controls();
    return all.map(({ kind: of, key, revision: expect }) => {
      return { kind: 'control', of, key, expect, note } as const;
    });
  },
]);

export const controlParts: fc.Arbitrary<Part> = fc.oneof(
  { weight: 2, arbitrary: writes },
  { weight: 1, arbitrary: removals },
);

export const releaseParts: fc.Arbitrary<Part> = fc
  .tuple(
    fc.constantFrom('breaker_open', 'breaker_open', 'nobody'),
    fc.constantFrom(1, 2, 1_000),
    fc.boolean(),
  )
  .map(([cause, limit, inTurn]) => [
    `release ${limit} of ${cause}${inTurn ? ' in turn' : ''}`,
    async () => [{ kind: 'release', cause, limit, inTurn, actor: ACTOR }],
  ]);
