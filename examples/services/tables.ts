// Creates the tables of the documents, once: `node tables.ts`
import { primary } from './database.ts';

await primary.query(`
  create table messages (id text primary key, body text not null);
  create table chunks (id text primary key, body text not null);
  create table embeddings (chunk_id text primary key, vector real[] not null);
`);
