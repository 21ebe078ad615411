import { parseConfig } from '@redrive/config';
import { expect, test } from 'vitest';
import { policyFinder } from './live-config.ts';

const configOf = (attempts: number) => {
  const { config } = parseConfig(`version: "1.1.0"
policies:
  quick: { name: Quick, max_attempts: ${attempts}, backoff_type: fixed, base_delay: 1, max_delay: 1 }
subsystem_mappings: { shop: { checkout: quick, default: quick } }
`);
  if (config === undefined) throw new Error('The file is wrong');
  return config;
};

test('by id, category and mapped path, and never a default that nobody asked for', () => {
  const find = policyFinder(() => configOf(4));
  expect(find('quick')?.maxAttempts).toBe(4);
  expect(find('shop.checkout')?.maxAttempts).toBe(4);
  expect(find('runs.default')?.maxAttempts).toBe(8);
  expect(find('KV_GET')?.id).toBe('RETRY_KV_GET');
  expect(find('shop.basket')).toBeUndefined();
  expect(find('nothing')).toBeUndefined();
});

test('a reload is seen at the next look, and the same version is the same object', () => {
  let config = configOf(4);
  const find = policyFinder(() => config);
  expect(find('quick')).toBe(find('quick'));
  config = configOf(5);
  expect(find('quick')?.maxAttempts).toBe(5);
});
