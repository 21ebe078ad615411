import { PrismaPg } from '@prisma/adapter-pg';
import { type SqlExecutor, sqlExecutor } from '@redrive/postgres';
import { type Library, savepointBy, type Transaction } from './library.ts';
import { type Prisma, PrismaClient } from './prisma/client/client.ts';

// recipe
const executorOf = (tx: Prisma.TransactionClient): SqlExecutor =>
  sqlExecutor((text, params) => tx.$queryRawUnsafe(text, ...params));
// end

export function open(url: string): Library {
  const db = new PrismaClient({ adapter: new PrismaPg({ connectionString: url }) });
  return {
    outside: executorOf(db),
    transaction: (work) =>
      db.$transaction((client) => {
        const tx: Transaction = {
          sql: executorOf(client),
          run: (statement) => client.$executeRawUnsafe(statement),
          savepoint: (inner) => savepointBy(tx, inner),
        };
        return work(tx);
      }),
    close: () => db.$disconnect(),
  };
}
