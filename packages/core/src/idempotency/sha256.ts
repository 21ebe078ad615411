/**
 * The constants of FIPS 180-4: the first 32 bits of the fractions of the cube roots of the first 64 primes, one for each
 * round, and of the square roots of the first eight, to start with. Computed, because a table of them weighs more than
 * the rest. A root in double precision has 17 bits to spare, and none of these is near a boundary: a test looks.
 */
function computeConstants(): { readonly rounds: readonly number[]; readonly start: Words } {
  const primes: number[] = [];
  for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime)) primes.push(n);
  const rounds = primes.map((prime) => fraction(Math.cbrt(prime)));
  const start = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
  return { rounds, start: start as unknown as Words }; // Eight of them.
}

type Words = readonly [number, number, number, number, number, number, number, number];

const fraction = (root: number): number => ((root % 1) * 2 ** 32) | 0;

let constants: ReturnType<typeof computeConstants> | undefined;

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
  constants ??= computeConstants();
  let state = constants.start;
  for (let block = 0; block < message.byteLength; block += 64) {
    let [a, b, c, d, e, f, g, h] = state;
    let at = 0;
    for (const constant of constants.rounds) {
      const word = at < 64 ? message.getInt32(block + at) : expand(schedule, at);
      schedule.setInt32(at, word);
      at += 4;

      const choice = (e & f) ^ (~e & g);
      const majority = (a & b) ^ (a & c) ^ (b & c);
      const t1 = h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + choice + constant + word;
      const t2 = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
    }
    const [s0, s1, s2, s3, s4, s5, s6, s7] = state;
    state = [
      (a + s0) | 0,
      (b + s1) | 0,
      (c + s2) | 0,
      (d + s3) | 0,
      (e + s4) | 0,
      (f + s5) | 0,
      (g + s6) | 0,
      (h + s7) | 0,
    ];
  }
  return state.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
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
