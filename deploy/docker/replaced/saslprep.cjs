// Loads its tables with the first password that must be prepared.
exports.saslprep = (...args) => require('@mongodb-js/saslprep').saslprep(...args);
