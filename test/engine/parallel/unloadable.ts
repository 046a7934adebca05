throw new Error('not now')
