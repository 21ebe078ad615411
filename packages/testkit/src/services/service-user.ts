/** The user that a service runs as. */
export interface ServiceUser {
  readonly uid: number;
  readonly gid: number;
}

const NOBODY = 65534;

/** `nobody` for root, because several servers refuse to run as root; everybody else runs services as themselves. */
export function serviceUser(): ServiceUser {
  const uid = process.getuid?.() ?? 0;
  const gid = process.getgid?.() ?? 0;
  return uid === 0 ? { uid: NOBODY, gid: NOBODY } : { uid, gid };
}
