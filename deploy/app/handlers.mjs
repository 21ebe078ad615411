/** Parses an archive. A real one would mark its document as processed. */
export async function parseArchive({ data }) {
  return { parsed: data.archive_id };
}

/** Cuts messages into chunks. The first attempt comes before the messages can be read, and fails. */
export async function chunkMessages({ data }, { attempt }) {
  if (attempt > 1) return { chunks: data.message_ids.length };
  throw new Error('the messages cannot be read yet');
}
