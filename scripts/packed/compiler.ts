import type { BinarySpec } from '@redrive/testkit/services';

/** Compiles better-sqlite3, because the builds of its install script are downloaded from elsewhere. */
export const COMPILER: readonly BinarySpec[] = [
  { name: 'g++', aptPackage: 'g++' },
  { name: 'make', aptPackage: 'make' },
  { name: 'python3', aptPackage: 'python3' },
];
