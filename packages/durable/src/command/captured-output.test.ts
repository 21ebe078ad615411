import { describe, expect, it } from 'vitest';
import { STDERR_TAIL_BYTES, stderrMessage } from './captured-output.ts';

/** Of so many bytes in all, these are the last ones. */
function messageOf(text: string, moreBytes = 0): string {
  const bytes = Buffer.from(text).subarray(-STDERR_TAIL_BYTES);
  return stderrMessage({ bytes, totalBytes: Buffer.byteLength(text) + moreBytes });
}

describe('the message of a failed command', () => {
  it('is the text on stderr', () => {
    expect(messageOf('warning: slow\nerror: ä failed\n')).toBe('warning: slow\nerror: ä failed');
    expect(messageOf('')).toBe('');
  });

  it('is the last part of a long text', () => {
    const message = messageOf(`${'line\n'.repeat(5_000)}the end\n`);
    expect(message).toHaveLength(441);
    expect(message).toMatch(/^…[\sline]+\nthe end$/);
  });

  it('has no colours, bells or other control characters', () => {
    expect(messageOf('\u001b[31mred\u001b[0m\u0007 a\u0000b\r\nc\u009b2Jd\te')).toBe(
      'red ab\ncd\te',
    );
  });

  it('has no secrets', () => {
    expect(messageOf('login with password=hunter2 failed')).toBe(
      'login with password=[masked] failed',
    );
  });

  it('has no half of a secret where it was cut', () => {
    const secret = 'password=correct-horse';
    for (let length = 400; length < 480; length++) {
      expect(messageOf(`${secret} ${'.'.repeat(length)}`)).not.toContain('horse');
    }
    const padding = STDERR_TAIL_BYTES - 'horse and more\n'.length;
    expect(messageOf(`${secret} and more\n${'x'.repeat(padding)}`)).not.toContain('horse');
    // Even where all of it is one line.
    expect(messageOf('horse and more', 100)).toBe('and more');
  });

  it('does not begin with half a character', () => {
    expect(stderrMessage({ bytes: Buffer.from('ä b').subarray(1), totalBytes: 9 })).toBe('b');
  });
});
