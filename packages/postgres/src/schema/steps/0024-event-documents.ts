/** The newest event of each document. The number is that of the event's job, in `jobs` or `finished`. */
export function eventDocuments(s: string): string {
  return `
    create table if not exists ${s}.event_documents (
      collection text collate "C" not null,
      document text collate "C" not null,
      seq bigint not null,
      bytes integer not null,
      primary key (collection, document)
    );
    create index if not exists event_documents_seq on ${s}.event_documents (seq);`;
}
