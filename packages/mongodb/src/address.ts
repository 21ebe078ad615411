import { RedriveError } from '@redrive/core';
import { MongoClient, type MongoClientOptions } from 'mongodb';

export interface MongodbAddress {
  /** For errors and logs: without credentials. */
  readonly name: string;
  readonly database: string;
  readonly client: MongoClient;
}

/**
 * Reads `mongodb://user:password@host:27017/database`, or `mongodb+srv://`. Nothing is connected.
 *
 * @throws RedriveError `invalid_option`; the message does not repeat the URL, which may have a password.
 */
export function parseAddress(url: string, options: MongoClientOptions): MongodbAddress {
  const [, scheme, hosts = '', database = ''] =
    /^(mongodb(?:\+srv)?):\/\/(?:[^@/]*@)?([^/?]+)\/([^/?]+)/u.exec(url) ?? [];
  if (scheme === undefined) throw invalid('is not of the form mongodb://host:27017/database');
  let client: MongoClient;
  try {
    client = new MongoClient(url, options);
  } catch (error) {
    // Its message may repeat a part of the URL.
    throw invalid(`is refused by the driver (${error instanceof Error ? error.name : 'Error'})`);
  }
  return { name: `${scheme}://${hosts}/${database}`, database: client.options.dbName, client };
}

function invalid(problem: string): RedriveError {
  const message = `The URL of the MongoDB server ${problem}`;
  return new RedriveError('invalid_option', message, { problems: [{ field: 'url', message }] });
}
