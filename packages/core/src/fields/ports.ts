import type { FieldRule } from './check-fields.ts';

/** The ports that options take. Each has the methods that its users call first. */
export const aClock: FieldRule = {
  kind: 'port',
  is: 'a clock',
  methods: ['now', 'monotonic', 'setTimer'],
};

export const aSink: FieldRule = { kind: 'port', is: 'a sink', methods: ['emit', 'open'] };

export const aKillSwitch: FieldRule = {
  kind: 'port',
  is: 'a kill switch',
  methods: ['isEngaged'],
};

const LEDGER = ['reserve', 'renew', 'complete', 'fail', 'look', 'clear'];

export const aLedger: FieldRule = { kind: 'port', is: 'a ledger', methods: LEDGER };

export const aOnceLedger: FieldRule = {
  kind: 'port',
  is: 'a ledger',
  methods: [...LEDGER, 'once'],
};
