import { ClientRequest, IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { LateResponses } from '../../src/runtime/execution/late-responses.ts'

type Answered = ClientRequest & { res: unknown }

/** As Node has it when it emits the response. */
function answered(): { request: Answered; response: IncomingMessage } {
  const request = new ClientRequest({ host: '127.0.0.1', createConnection: () => new Socket() }) as Answered
  const response = new IncomingMessage(new Socket())
  request.res = response
  return { request, response }
}

test('a response that waits for its turn is not to be found at its request before', () => {
  const late = new LateResponses()
  const { request, response } = answered()
  const show = late.waits(request, [response])
  expect(request.res).toBeNull()
  // Another listener of the same event.
  expect(late.waits(request, [response])).toBeUndefined()
  show!()
  expect(request.res).toBe(response)
  expect(late.waits(request, ['of another event'])).toBeUndefined()
  expect(request.res).toBe(response)
})

test('it is when the execution is over, and what was put there since stays', () => {
  const late = new LateResponses()
  const [one, other] = [answered(), answered()]
  late.waits(one.request, [one.response])
  const show = late.waits(other.request, [other.response])
  show!()
  other.request.res = 'another'
  late.close()
  show!()
  expect(one.request.res).toBe(one.response)
  expect(other.request.res).toBe('another')
})
