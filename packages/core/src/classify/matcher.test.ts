import { describe, expect, it } from 'vitest';
import { type ErrorMatcher, matches } from './matcher.ts';

class AppError extends Error {}
class QuotaError extends AppError {}
class Fault {}

const coded = (code: unknown, name = 'Error') => Object.assign(new Error('boom'), { code, name });
const isMeant = (error: unknown, matcher: ErrorMatcher) => matches([error], matcher);

describe('matches by class', () => {
  it('matches instances, also of subclasses', () => {
    expect(isMeant(new QuotaError(), AppError)).toBe(true);
    expect(isMeant(new AppError(), QuotaError)).toBe(false);
  });

  it('matches a cause', () => {
    expect(matches([new Error('outer'), new QuotaError()], QuotaError)).toBe(true);
  });

  it('matches classes that are no errors', () => {
    expect(isMeant(new Fault(), Fault)).toBe(true);
    expect(isMeant(new Error('x'), Fault)).toBe(false);
  });
});

describe('matches by name', () => {
  it.each([
    ['name', coded('X', 'RateError'), 'RateError'],
    ['code', coded('EBUSY'), 'EBUSY'],
    ['class', new QuotaError(), 'QuotaError'],
    ['base class', new QuotaError(), 'AppError'],
    ['class of what is no error', new Fault(), 'Fault'],
    ['name of a plain object', { name: 'Weird' }, 'Weird'],
  ])('by the %s', (_, error, matcher) => {
    expect(isMeant(error, matcher)).toBe(true);
    expect(matches([new Error('outer'), error], matcher)).toBe(true);
    expect(isMeant(error, 'Other')).toBe(false);
  });

  it('is not fooled by names of Object’s own properties', () => {
    expect(isMeant(new Error('x'), 'constructor')).toBe(false);
    expect(isMeant(new Error('x'), 'toString')).toBe(false);
    expect(matches([new Error('x'), coded('constructor')], 'constructor')).toBe(true);
  });
});

describe('groups of names', () => {
  const timeouts = [
    'ETIMEDOUT',
    'ESOCKETTIMEDOUT',
    'ETIMEOUT',
    'UND_ERR_CONNECT_TIMEOUT',
    'UND_ERR_HEADERS_TIMEOUT',
    'UND_ERR_BODY_TIMEOUT',
    'ECONNABORTED',
    'attempt_timeout',
  ];
  const connections = [
    'ECONNREFUSED',
    'ECONNRESET',
    'ECONNABORTED',
    'EPIPE',
    'ENOTCONN',
    'UND_ERR_SOCKET',
    'UND_ERR_CONNECT_TIMEOUT',
    'ERR_STREAM_PREMATURE_CLOSE',
    'PROTOCOL_CONNECTION_LOST',
  ];
  const unreachable = [
    'ENOTFOUND',
    'EAI_AGAIN',
    'ESERVFAIL',
    'EHOSTUNREACH',
    'EHOSTDOWN',
    'ENETUNREACH',
    'ENETDOWN',
    'ENETRESET',
    'ERR_NETWORK',
  ];
  const others = ['ENOENT', 'EACCES', '40001', 'CERT_HAS_EXPIRED', 'EMFILE', undefined, 5];

  it.each(timeouts)('TimeoutError stands for %s', (code) => {
    expect(isMeant(coded(code), 'TimeoutError')).toBe(true);
  });
  it.each(connections)('ConnectionError and NetworkError stand for %s', (code) => {
    expect(isMeant(coded(code), 'ConnectionError')).toBe(true);
    expect(isMeant(coded(code), 'NetworkError')).toBe(true);
  });
  it.each(unreachable)('NetworkError alone stands for %s', (code) => {
    expect(isMeant(coded(code), 'NetworkError')).toBe(true);
    expect(isMeant(coded(code), 'ConnectionError')).toBe(false);
    expect(isMeant(coded(code), 'TimeoutError')).toBe(false);
  });
  it.each(others)('no group stands for %s', (code) => {
    for (const group of ['TimeoutError', 'ConnectionError', 'NetworkError']) {
      expect(isMeant(coded(code), group)).toBe(false);
    }
  });
  it('a time-out is no lost connection', () => {
    expect(isMeant(coded('ETIMEDOUT'), 'ConnectionError')).toBe(false);
  });

  it('takes names that say it', () => {
    expect(isMeant(coded(undefined, 'HeadersTimeoutError'), 'TimeoutError')).toBe(true);
    expect(isMeant(new DOMException('late', 'TimeoutError'), 'TimeoutError')).toBe(true);
    expect(isMeant(coded(undefined, 'APIConnectionError'), 'ConnectionError')).toBe(true);
    expect(isMeant(coded(undefined, 'MongoNetworkError'), 'NetworkError')).toBe(true);
  });

  it('takes the TypeError of fetch', () => {
    expect(isMeant(new TypeError('Failed to fetch'), 'NetworkError')).toBe(true);
    expect(isMeant(new TypeError('Failed to fetch'), 'ConnectionError')).toBe(true);
    expect(isMeant(new TypeError('x is not a function'), 'NetworkError')).toBe(false);
    expect(isMeant(new TypeError('Failed to fetch'), 'TimeoutError')).toBe(false);
  });
});

describe('matches everything', () => {
  it.each([Error, 'Error', 'Exception'])('by %s', (matcher) => {
    for (const thrown of [new Error('x'), 'text', undefined, null, 7]) {
      expect(isMeant(thrown, matcher)).toBe(true);
    }
  });
});

describe('matches by predicate', () => {
  it('gets the thrown value, not its causes', () => {
    const seen: unknown[] = [];
    const inner = new Error('inner');
    matches(['outer', inner], (error) => seen.push(error) < 0);
    expect(seen).toEqual(['outer']);
  });

  it('takes functions of both kinds', () => {
    expect(isMeant(7, (error: unknown) => error === 7)).toBe(true);
    expect(
      isMeant(7, function isSeven(error: unknown) {
        return error === 7;
      }),
    ).toBe(true);
    expect(isMeant(8, (error: unknown) => error === 7)).toBe(false);
  });

  it('does not match when it throws', () => {
    const broken = () => {
      throw new Error('broken predicate');
    };
    expect(isMeant(new Error('x'), broken)).toBe(false);
  });
});

describe('values that cannot be looked at', () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();

  it.each<ErrorMatcher>(['TimeoutError', AppError, 'X'])('do not match %s', (matcher) => {
    expect(isMeant(proxy, matcher)).toBe(false);
    expect(isMeant({ name: Symbol('s') }, matcher)).toBe(false);
  });
});
