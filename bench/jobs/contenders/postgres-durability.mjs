/** What the server says of its own durability. */
export async function postgresDurability(pool) {
  const answer = {};
  for (const name of ['fsync', 'synchronous_commit', 'full_page_writes']) {
    answer[name] = (await pool.query(`SHOW ${name}`)).rows[0][name];
  }
  return answer;
}
