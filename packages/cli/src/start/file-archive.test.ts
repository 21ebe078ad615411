import { appendFileSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Job } from '@redrive/durable';
import { virtualClock } from '@redrive/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { deadLetters } from '../testing/dead-letters.ts';
import { START } from '../testing/job-store.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';
import { fileArchive } from './file-archive.ts';

const DAY_MS = 86_400_000;

test('a file of JSON lines per day of death, with payloads, for its owner only', async () => {
  const { store, ids } = await deadLetters(virtualClock(START), 3);
  const jobs = (await store.finished(ids)).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const later = jobs.map((job, n): Job => ({ ...job, finishedAtMs: START.startMs + n * DAY_MS }));
  const directory = join(scratchDirectory(onTestFinished), 'new', 'archive');
  const archive = fileArchive(directory);
  await archive(later.slice(0, 2));
  await archive([...later.slice(2), ...later.slice(0, 1)]);
  const files = readdirSync(directory).sort();
  expect(files).toEqual([
    'dead-letters-2027-01-31.jsonl',
    'dead-letters-2027-02-01.jsonl',
    'dead-letters-2027-02-02.jsonl',
  ]);
  const path = join(directory, files[0] ?? '');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const letters = readFileSync(path, 'utf8').trim().split('\n');
  expect(letters).toHaveLength(2);
  expect(JSON.parse(letters[0] ?? '')).toMatchObject({
    original_event: { password: 'hunter-0' },
    redrive: { id: jobs[0]?.id, payload: { shown: 'full' } },
  });
});

test('what cannot be written is not taken', async () => {
  const { store, ids } = await deadLetters(virtualClock(START), 1);
  const directory = scratchDirectory(onTestFinished, { file: '' });
  const archive = fileArchive(join(directory, 'file', 'archive'));
  await expect(archive(await store.finished(ids))).rejects.toThrow(/ENOTDIR/);
});

test('a line that was cut is ended, so that what follows can be read', async () => {
  const { store, ids } = await deadLetters(virtualClock(START), 2);
  const jobs = await store.finished(ids);
  const directory = scratchDirectory(onTestFinished);
  const archive = fileArchive(directory);
  await archive(jobs.slice(0, 1));
  const [file = ''] = readdirSync(directory);
  appendFileSync(join(directory, file), '{"original_event":');
  await archive(jobs.slice(1));
  const lines = readFileSync(join(directory, file), 'utf8').trim().split('\n');
  expect(lines).toHaveLength(3);
  expect(JSON.parse(lines[2] ?? '')).toMatchObject({ redrive: { id: jobs[1]?.id } });
});

test('several workers at once leave whole lines', async () => {
  const { store, ids } = await deadLetters(virtualClock(START), 1);
  const [job] = await store.finished(ids);
  if (job === undefined) throw new Error('no letter');
  const directory = scratchDirectory(onTestFinished);
  const letters = ['a', 'b', 'c', 'd', 'e', 'f'].map((letter): Job => {
    return { ...job, payload: { kind: 'json', text: JSON.stringify(letter.repeat(3_000_000)) } };
  });
  await Promise.all(letters.map((letter) => fileArchive(directory)([letter])));
  const [file = ''] = readdirSync(directory);
  const lines = readFileSync(join(directory, file), 'utf8').trim().split('\n');
  const payloads = lines.map((line) => JSON.parse(line).original_event as string);
  expect(payloads.map((text) => new Set(text).size)).toEqual([1, 1, 1, 1, 1, 1]);
});
