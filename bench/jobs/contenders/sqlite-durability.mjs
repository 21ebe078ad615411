const levels = ['OFF', 'NORMAL', 'FULL', 'EXTRA'];

/** What a connection says of its own durability; `get` answers the first row of a statement. */
export async function sqliteDurability(get) {
  const { journal_mode: journal } = get('PRAGMA journal_mode');
  const { synchronous } = get('PRAGMA synchronous');
  return { journal, synchronous: levels[synchronous] };
}
