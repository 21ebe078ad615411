// A module of Nest for jobs. Copy it: it is meant to be changed.
import {
  type BeforeApplicationShutdown,
  type DynamicModule,
  Inject,
  Injectable,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleInit,
  SetMetadata,
} from '@nestjs/common';
import { DiscoveryModule, DiscoveryService, MetadataScanner } from '@nestjs/core';
import { HealthIndicatorService, TerminusModule } from '@nestjs/terminus';
import {
  type EnqueueOptions,
  type FullStore,
  type HandlerDefinition,
  type Jobs,
  type JobsOptions,
  jobsOn,
} from '@redrive/durable';

const HANDLER = 'redrive:handler';
const OPTIONS = Symbol('redrive options');

type HandlerOptions = Omit<HandlerDefinition<unknown, unknown>, 'run'>;
type AnyJobs = Jobs<Record<string, HandlerDefinition<unknown, unknown>>>;

export interface RedriveModuleOptions {
  readonly store: () => Promise<FullStore>;
  /** Whether this process runs jobs. Default `true`; `false` in a process that only enqueues. */
  readonly work?: boolean;
  /** How long running jobs may take to finish when the application stops. Default 20,000. */
  readonly graceMs?: number;
  readonly jobs?: JobsOptions;
}

/** Marks a method of a provider as the handler of jobs. It gets the payload and the context of the attempt. */
export const JobHandler = (name: string, options: HandlerOptions = {}): MethodDecorator =>
  SetMetadata(HANDLER, { name, options });

@Injectable()
export class RedriveJobs
  implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown
{
  readonly #options: RedriveModuleOptions;
  readonly #discovery: DiscoveryService;
  readonly #scanner: MetadataScanner;
  #store: FullStore | undefined;
  #jobs: AnyJobs | undefined;

  constructor(
    @Inject(OPTIONS) options: RedriveModuleOptions,
    @Inject(DiscoveryService) discovery: DiscoveryService,
    @Inject(MetadataScanner) scanner: MetadataScanner,
  ) {
    this.#options = options;
    this.#discovery = discovery;
    this.#scanner = scanner;
  }

  /** Everything that jobs have: `wait`, `cancel`, `schedule`, … */
  get jobs(): AnyJobs {
    if (this.#jobs === undefined) throw new Error('The application is not initialised yet');
    return this.#jobs;
  }

  enqueue(handler: string, payload: unknown, options?: EnqueueOptions) {
    return this.jobs.enqueue(handler, payload, options);
  }

  async onModuleInit(): Promise<void> {
    this.#store = await this.#options.store();
    this.#jobs = jobsOn(this.#store, this.#handlers(), this.#options.jobs);
  }

  async onApplicationBootstrap(): Promise<void> {
    if (this.#options.work !== false) await this.jobs.start();
  }

  /** Connections of other providers are still open: running jobs finish. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.#jobs?.stop({ graceMs: this.#options.graceMs ?? 20_000 });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#store?.close();
  }

  #handlers(): Record<string, HandlerDefinition<unknown, unknown>> {
    const handlers: Record<string, HandlerDefinition<unknown, unknown>> = {};
    for (const { instance } of this.#discovery.getProviders()) {
      if (typeof instance !== 'object' || instance === null) continue;
      for (const method of this.#scanner.getAllMethodNames(Object.getPrototypeOf(instance))) {
        const marked = Reflect.getMetadata(HANDLER, instance[method]);
        if (marked === undefined) continue;
        const { name, options } = marked;
        if (name in handlers) throw new Error(`Two methods handle jobs of ${name}`);
        handlers[name] = { ...options, run: (payload, job) => instance[method](payload, job) };
      }
    }
    return handlers;
  }
}

/** `redrive` of a health check of Terminus. */
@Injectable()
export class RedriveHealth {
  readonly #redrive: RedriveJobs;
  readonly #health: HealthIndicatorService;

  constructor(
    @Inject(RedriveJobs) redrive: RedriveJobs,
    @Inject(HealthIndicatorService) health: HealthIndicatorService,
  ) {
    this.#redrive = redrive;
    this.#health = health;
  }

  async isHealthy() {
    const { ready, checks } = await this.#redrive.jobs.health();
    const indicator = this.#health.check('redrive');
    return ready ? indicator.up() : indicator.down({ checks });
  }
}

@Module({})
export class RedriveModule {
  static forRoot(options: RedriveModuleOptions): DynamicModule {
    return {
      module: RedriveModule,
      global: true,
      imports: [DiscoveryModule, TerminusModule],
      providers: [{ provide: OPTIONS, useValue: options }, RedriveJobs, RedriveHealth],
      exports: [RedriveJobs, RedriveHealth],
    };
  }
}
