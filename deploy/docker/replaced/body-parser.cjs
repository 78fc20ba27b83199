// Express loads it, and its tables of encodings, also where the bodies of requests are read otherwise.
module.exports = {};
