import { describe, expect, it } from 'vitest';
import { isLostRace, isRolledBack, storeError } from './errors.ts';

/** As pg makes it of what the server says. */
function answerOf(severity: string, code: string): Error {
  return Object.assign(new Error('as the server says it'), { severity, code });
}

describe('an error that the server answers with', () => {
  it.each([
    ['ERROR', '40P01'],
    ['FEHLER', '40P01'],
    ['ОШИБКА', '23514'],
    ['ERREUR', '40001'],
  ])('is a lost race in every language: %s %s', (severity, code) => {
    const error = storeError('store', answerOf(severity, code));
    expect(isRolledBack(error)).toBe(true);
    expect(isLostRace(error)).toBe(true);
  });

  it.each([
    ['FATAL', '57P01'],
    ['ВАЖНО', '57P01'],
    ['FATALE', '25P03'],
    ['PANIC', 'XX000'],
    ['FATAL', '53200'],
  ])('leaves open what has happened where it ends the connection: %s %s', (severity, code) => {
    const error = storeError('store', answerOf(severity, code));
    expect(error.code).toBe('store_unavailable');
    expect(isRolledBack(error)).toBe(false);
  });

  it.each([
    ['ERROR', '42501', /as the server says it\. Grant the role its rights/],
    ['FEHLER', '42501', /Grant the role its rights/],
    ['FATAL', '28P01', /the server refuses the login: as the server says it\. Correct the user/],
    ['FATAL', '28000', /the server refuses the login/],
  ])('says so where rights are missing: %s %s', (severity, code, message) => {
    const error = storeError('store', answerOf(severity, code));
    expect(error).toMatchObject({ code: 'store_forbidden', details: { sqlState: code } });
    expect(error.message).toMatch(message);
  });

  it('is the data’s own fault where the data cannot be stored', () => {
    expect(storeError('store', answerOf('FEHLER', '22021')).code).toBe('invalid_job');
  });
});
