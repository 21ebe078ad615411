export default {
  // Loaded from node_modules when the server runs: the SQLite store starts threads from files of its own.
  serverExternalPackages: ['@redrive/core', '@redrive/durable', '@redrive/sqlite'],
};
