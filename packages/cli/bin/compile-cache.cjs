'use strict';

var fs = require('fs');
var os = require('os');
var path = require('path');

/**
 * Lets Node keep compiled code of the commands in the user's cache directory, which saves a fifth of the time of a short
 * command. Node's own place for it, below the directory for temporary files, may belong to another user, whose code would
 * then run. Without a safe place nothing is kept.
 *
 * @returns where it is kept, or undefined.
 */
exports.enable = function (env) {
  var enableCompileCache = require('module').enableCompileCache;
  // NODE_COMPILE_CACHE names a place of the user's choice; Node obeys it by itself.
  var isDecided = env.NODE_COMPILE_CACHE || env.NODE_DISABLE_COMPILE_CACHE;
  if (!enableCompileCache || isDecided) return undefined;
  try {
    return enableCompileCache(ownDirectory(env)).directory;
  } catch (_error) {
    return undefined;
  }
};

/** Throws if it cannot be made, or others may write there. */
function ownDirectory(env) {
  var caches = env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache');
  var directory = path.join(caches, 'redrive');
  fs.mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (!isOwn(directory)) throw new Error('Others may write ' + directory);
  return directory;
}

function isOwn(directory) {
  var stat = fs.lstatSync(directory);
  if (!stat.isDirectory()) return false;
  // Windows has no such ids; the directory is in the user's profile.
  return !process.getuid || (stat.uid === process.getuid() && (stat.mode & 0o022) === 0);
}
