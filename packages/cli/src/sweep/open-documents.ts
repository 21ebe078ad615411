import { maskUrls } from '@redrive/config';
import type { DocumentSource } from '@redrive/durable/documents';
import { CliError } from '../terminal/cli-error.ts';

/**
 * Opens the database with documents at a URL. The one place that names concrete adapters; each driver is loaded only when
 * it is asked for. It connects at its first call.
 */
export async function openDocumentsAt(url: string): Promise<DocumentSource> {
  if (/^mongodb(?:\+srv)?:\/\//.test(url)) {
    const { mongodbDocuments } = await import('@redrive/mongodb');
    return mongodbDocuments(url);
  }
  if (/^postgres(?:ql)?:\/\//.test(url)) {
    const { postgresDocuments } = await import('@redrive/postgres');
    return postgresDocuments(url);
  }
  const [, file] = /^sqlite:(.+)$/.exec(url) ?? [];
  if (file !== undefined) {
    const { sqliteDocuments } = await import('@redrive/sqlite');
    return sqliteDocuments(file);
  }
  throw new CliError(
    'usage',
    `This is not a database with documents: ${maskUrls(url)}`,
    'Write mongodb://host/database, postgres://host/database or sqlite:<file> under sweeps.collections.',
  );
}
