// Stores each line of an archive as a message, and publishes `json.parsed` for it: `node parsing.ts archive.txt`
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { writeWithEvent } from './outbox.ts';

const [file = 'archive.txt'] = process.argv.slice(2);
const name = basename(file, '.txt');
const lines = readFileSync(file, 'utf8').trim().split('\n');

for (const [index, body] of lines.entries()) {
  const id = `${name}.${index + 1}`;
  await writeWithEvent('json.parsed', { message_ids: [id] }, (client) =>
    client.query('insert into messages values ($1, $2) on conflict do nothing', [id, body]),
  );
  console.log(`parsed ${id}`);
}
