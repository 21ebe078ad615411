'use strict';

var fs = require('fs');
var path = require('path');

/**
 * Whether the package in this directory has a bundle that is not older than what it was made from. In the repository the
 * compiler may have run since; it then has written the record of each package that it built.
 */
exports.isCurrent = function (home) {
  var bundle = path.join(home, 'dist', 'bundle', 'main.js');
  if (!fs.existsSync(bundle)) return false;
  if (!fs.existsSync(path.join(home, 'tsconfig.json'))) return true;
  var packages = path.join(home, '..');
  var madeAt = fs.statSync(bundle).mtimeMs;
  return fs.readdirSync(packages).every(function (name) {
    var record = path.join(packages, name, 'dist', 'main.tsbuildinfo');
    return !fs.existsSync(record) || fs.statSync(record).mtimeMs <= madeAt;
  });
};
