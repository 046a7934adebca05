const { withDpor } = require('vitest-dpor/jest/config')

module.exports = withDpor({})
