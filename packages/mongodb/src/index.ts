export { type MongodbDocumentsOptions, mongodbDocuments } from './mongodb-documents.ts';
export { type ReadableOptions, readToken, waitUntilReadable } from './read-token.ts';
