import { MAX_DOCUMENT_PAGE_BYTES } from './document-source.ts';

/** For an adapter that reads documents one by one: answers whether the next one, of `bytes`, is still of the page. */
export function pageBytes(): (bytes: number) => boolean {
  let total = 0;
  let documents = 0;
  return (bytes) => {
    total += bytes;
    documents += 1;
    return documents === 1 || total <= MAX_DOCUMENT_PAGE_BYTES;
  };
}
