'use strict';

// The same as "engines" in package.json; the tests compare them.
var oldest = { major: 22, minor: 18 };

/** One sentence with the remedy if this version of Node is too old, otherwise undefined. */
exports.problemWith = function (version, platform) {
  var parts = version.split('.');
  var major = Number(parts[0]);
  var minor = Number(parts[1]);
  if (major > oldest.major || (major === oldest.major && minor >= oldest.minor)) return undefined;
  return (
    'redrive needs Node ' +
    oldest.major +
    '.' +
    oldest.minor +
    ' or newer, but this is Node ' +
    version +
    ': install a current one (' +
    remedyOn(platform || process.platform) +
    ') and run the command again.'
  );
};

function remedyOn(platform) {
  return platform === 'darwin'
    ? 'on macOS "brew install node", or https://nodejs.org'
    : 'https://nodejs.org';
}
