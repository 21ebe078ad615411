#!/usr/bin/env node
'use strict';

// Committed and in old syntax on purpose: npm links a bin only if it exists at install time, and
// an old Node must be able to read this far in order to say that it is too old.
var fs = require('fs');
var path = require('path');
var bundle = require('./bundle.cjs');
var compileCache = require('./compile-cache.cjs');
var nodeVersion = require('./node-version.cjs');

var home = path.join(__dirname, '..');
var args = process.argv.slice(2);
var problem = nodeVersion.problemWith(process.versions.node);

if (problem) {
  console.error(problem);
  process.exitCode = 1;
} else if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
  // Scripts ask this often, and loading the commands would take as long again as starting Node.
  console.log(require('../package.json').version);
} else {
  runMain(mainFile());
}

function mainFile() {
  if (!canUseBundle()) return path.join(home, 'dist', 'main.js');
  compileCache.enable(process.env);
  return path.join(home, 'dist', 'bundle', 'main.js');
}

function runMain(main) {
  if (fs.existsSync(main)) {
    require(main).mainOfProcess(args);
  } else {
    console.error('redrive is not built yet: run "npm run build" in its repository first.');
    process.exitCode = 1;
  }
}

// "start" loads the modules of users, which import the packages of Redrive too: it takes these from the same place, so
// that both have the same classes.
function canUseBundle() {
  var words = args.filter(function (arg) {
    return arg.charAt(0) !== '-';
  });
  return words[0] !== 'start' && bundle.isCurrent(home);
}
