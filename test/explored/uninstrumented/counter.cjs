let count = 0
exports.double = () => (count = count * 2)
exports.add = () => ++count
exports.reset = () => (count = 1)
