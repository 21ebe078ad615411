// An application of Nest: a route enqueues, a method handles, SIGTERM loses nothing.
import 'reflect-metadata';
import {
  Controller,
  Get,
  Inject,
  Injectable,
  Module,
  type OnApplicationShutdown,
  type OnModuleDestroy,
  Post,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { HealthCheckService, TerminusModule } from '@nestjs/terminus';
import { openStore } from '@redrive/sqlite';
import { JobHandler, RedriveHealth, RedriveJobs, RedriveModule } from './redrive.module.js';

/** A connection that handlers use until the end. */
@Injectable()
class Smtp implements OnModuleDestroy, OnApplicationShutdown {
  readonly stopping = Promise.withResolvers<void>();

  onModuleDestroy(): void {
    console.log('the application stops');
    this.stopping.resolve();
  }

  onApplicationShutdown(): void {
    console.log('connection closed');
  }
}

@Injectable()
class Mails {
  readonly lateStarted = Promise.withResolvers<void>();
  readonly #smtp: Smtp;

  constructor(@Inject(Smtp) smtp: Smtp) {
    this.#smtp = smtp;
  }

  @JobHandler('mail', { policy: { maxAttempts: 3, baseDelayMs: 10 } })
  async send(to: string, { attempt }: { attempt: number }): Promise<string> {
    if (attempt === 1) throw new Error('connection reset');
    if (to === 'late') {
      this.lateStarted.resolve();
      await this.#smtp.stopping.promise;
    }
    console.log(`sent to ${to} in attempt ${attempt}`);
    return to;
  }
}

@Controller()
class Orders {
  readonly #redrive: RedriveJobs;
  readonly #redriveHealth: RedriveHealth;
  readonly #health: HealthCheckService;

  constructor(
    @Inject(RedriveJobs) redrive: RedriveJobs,
    @Inject(RedriveHealth) redriveHealth: RedriveHealth,
    @Inject(HealthCheckService) health: HealthCheckService,
  ) {
    this.#redrive = redrive;
    this.#redriveHealth = redriveHealth;
    this.#health = health;
  }

  @Post('orders')
  async order() {
    const job = await this.#redrive.enqueue('mail', 'ada@example.org');
    return { mail: await this.#redrive.jobs.wait(job) };
  }

  @Get('readyz')
  ready() {
    return this.#health.check([() => this.#redriveHealth.isHealthy()]);
  }
}

@Module({
  imports: [RedriveModule.forRoot({ store: () => openStore('nest.db') }), TerminusModule],
  controllers: [Orders],
  providers: [Mails, Smtp],
})
class App {}

const app = await NestFactory.create(App, { logger: ['error'] });
app.enableShutdownHooks();
await app.listen(0, '127.0.0.1');
const url = await app.getUrl();

const answer = await fetch(`${url}/orders`, { method: 'POST' });
console.log(JSON.stringify(await answer.json()));
const health = await fetch(`${url}/readyz`);
console.log(health.status, JSON.stringify((await health.json()).details));

await app.get(RedriveJobs).enqueue('mail', 'late');
await app.get(Mails).lateStarted.promise;
process.kill(process.pid, 'SIGTERM'); // while that job runs
