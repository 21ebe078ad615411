declare const __REDRIVE_VERSION__: string;

/** Put in by the build. */
export const VERSION: string = typeof __REDRIVE_VERSION__ === 'string' ? __REDRIVE_VERSION__ : '';
