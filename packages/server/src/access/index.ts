export {
  AccessFile,
  CODE_MS,
  type SignInSummary,
  type TokenSummary,
  type TokenWish,
} from './access-file.ts';
export type { Role } from './who.ts';
