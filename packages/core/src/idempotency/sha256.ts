/** The round constants of FIPS 180-4: fractional parts of the cube roots of the first 64 primes. */
// biome-ignore format: a table of eight columns
const ROUND_CONSTANTS = [
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
];

const rotate = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

/**
 * SHA-256 of bytes, or of a string's UTF-8 form, as 64 lower-case hex digits.
 *
 * Synchronous, because a key is computed in the middle of a call; `crypto.subtle` only answers later and
 * `node:crypto` exists only in Node. Meant for keys and fingerprints, not for megabytes.
 */
export function sha256(input: string | Uint8Array): string {
  const message = padded(typeof input === 'string' ? new TextEncoder().encode(input) : input);
  const schedule = new DataView(new ArrayBuffer(256));
  let h0 = 0x6a09e667;
  let h1 = 0xbb67ae85;
  let h2 = 0x3c6ef372;
  let h3 = 0xa54ff53a;
  let h4 = 0x510e527f;
  let h5 = 0x9b05688c;
  let h6 = 0x1f83d9ab;
  let h7 = 0x5be0cd19;

  for (let block = 0; block < message.byteLength; block += 64) {
    let [a, b, c, d, e, f, g, h] = [h0, h1, h2, h3, h4, h5, h6, h7];
    let at = 0;
    for (const constant of ROUND_CONSTANTS) {
      const word = at < 64 ? message.getInt32(block + at) : expand(schedule, at);
      schedule.setInt32(at, word);
      at += 4;

      const choice = (e & f) ^ (~e & g);
      const majority = (a & b) ^ (a & c) ^ (b & c);
      const t1 = h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + choice + constant + word;
      const t2 = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
    }
    h0 = (h0 + a) | 0;
    h1 = (h1 + b) | 0;
    h2 = (h2 + c) | 0;
    h3 = (h3 + d) | 0;
    h4 = (h4 + e) | 0;
    h5 = (h5 + f) | 0;
    h6 = (h6 + g) | 0;
    h7 = (h7 + h) | 0;
  }
  return [h0, h1, h2, h3, h4, h5, h6, h7]
    .map((word) => (word >>> 0).toString(16).padStart(8, '0'))
    .join('');
}

/** The message, a 1 bit, zeros, and its length in bits as the last eight bytes of a whole block. */
function padded(bytes: Uint8Array): DataView {
  const message = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  message.set(bytes);
  message[bytes.length] = 0x80;
  const view = new DataView(message.buffer);
  view.setUint32(message.length - 8, bytes.length / 2 ** 29);
  view.setUint32(message.length - 4, bytes.length << 3);
  return view;
}

/** The word at byte `at` (64 or later) of the message schedule, from the sixteen words before it. */
function expand(schedule: DataView, at: number): number {
  const early = schedule.getInt32(at - 60);
  const late = schedule.getInt32(at - 8);
  const s0 = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
  const s1 = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
  return schedule.getInt32(at - 64) + s0 + schedule.getInt32(at - 28) + s1;
}
