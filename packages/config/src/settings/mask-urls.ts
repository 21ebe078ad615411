/** `postgres://user:password@host`, and `?password=…` behind it. */
const USER = /(\/\/)[^/?#\s"']*@/g;
const PARAMETER = /([?&][\w-]*(?:pass|pwd|secret|token|key)[\w-]*=)[^&\s"']*/gi;

/** The text without what stands before the `@` of a URL and without parameters that are secrets: fit to be shown. */
export function maskUrls(text: string): string {
  return text.replaceAll(USER, '$1***@').replaceAll(PARAMETER, '$1***');
}
