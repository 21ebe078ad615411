#!/usr/bin/env node
'use strict';

// Committed and in old syntax on purpose: npm links a bin only if it exists at install time, and
// an old Node must be able to read this far in order to say that it is too old.
var fs = require('fs');
var path = require('path');
var nodeVersion = require('./node-version.cjs');

var main = path.join(__dirname, '..', 'dist', 'main.js');
var args = process.argv.slice(2);
var problem = nodeVersion.problemWith(process.versions.node);

if (problem) {
  console.error(problem);
  process.exitCode = 1;
} else if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
  // Scripts ask this often, and loading the commands would take as long again as starting Node.
  console.log(require('../package.json').version);
} else if (!fs.existsSync(main)) {
  console.error('redrive is not built yet: run "npm run build" in its repository first.');
  process.exitCode = 1;
} else {
  require(main).mainOfProcess(args);
}
