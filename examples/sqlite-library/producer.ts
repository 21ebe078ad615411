// Writes orders and their mails with better-sqlite3. The store is open in another process: see worker.ts.
import { jobsOn, memoryStore, runsElsewhere } from '@redrive/durable';
import { enqueueIn, onceIn, sqlExecutor } from '@redrive/sqlite';
import Database from 'better-sqlite3';

const jobs = jobsOn(memoryStore(), { mail: runsElsewhere<string, void>() }); // makes commands, stores none
const db = new Database('shop.db', { timeout: 5_000 });
db.pragma('synchronous = FULL'); // better-sqlite3 has NORMAL, which can lose commits
db.exec('create table if not exists orders (id text primary key)');

// recipe
const sql = sqlExecutor((text, params) => {
  const statement = db.prepare(text);
  return statement.reader ? statement.all(params) : statement.run(params);
});
// end

const insert = db.prepare('insert into orders values (?)');
// Unique for an hour: also when the worker has run the mail meanwhile.
const mail = (id: string) =>
  jobs.prepare('mail', id, { unique: { key: id, forMs: 3_600_000 }, onConflict: 'refuse' });
const order = db.transaction((id: string, isWanted = true) => {
  insert.run(id);
  const result = enqueueIn(sql, mail(id));
  if (!isWanted) throw new Error('the user changed their mind');
  return result.ok ? result.outcome : result.refusal;
});
const caught = (act: () => unknown) => {
  try {
    return act();
  } catch (error) {
    return error instanceof Error ? error.message : error;
  }
};

const count = Number(process.argv[2] ?? 0);
if (count > 0) {
  for (let each = 1; each <= count; each += 1) order.immediate(`order-${each}`);
  console.log(`${count} orders`);
} else {
  console.log('commit:', order.immediate('kept'));
  console.log(
    'roll back:',
    caught(() => order.immediate('dropped', false)),
  );
  db.exec(`delete from orders`);
  console.log('conflict:', order.immediate('kept'));
  const parts = db.transaction(() => {
    insert.run('parts');
    caught(() => order('nested', false)); // a transaction inside a transaction is a savepoint
    return order('nested');
  });
  console.log('savepoint:', parts.immediate());
  const charge = db.transaction(() => onceIn(sql, { key: 'charge' }, () => insert.run('once')));
  charge.immediate();
  charge.immediate();
  console.log('orders:', db.prepare('select id from orders order by id').pluck().all().join(', '));
  console.log(
    'without a transaction:',
    caught(() => enqueueIn(sql, mail('none'))),
  );
}
db.close();
console.log('closed');
// Killed in place of an ordinary end, if asked to.
if (process.argv.includes('--kill')) process.kill(process.pid, 'SIGKILL');
