const body = 'x'.repeat(64);

/** What every job carries: about 110 bytes of JSON, and its number, by which a drive knows it again. */
export const payloadOf = (index) => ({ index, to: 'somebody@example.com', body });

export const payloads = (count) => Array.from({ length: count }, (_, index) => payloadOf(index));
