import { alerts } from '@tollgate/contract'
import { type Router, serve } from '../http/serve.ts'
import type { AlertDestinationsService } from './alert-destinations-service.ts'
import type { AlertsService } from './alerts-service.ts'

interface Services {
  alerts: AlertsService
  destinations: AlertDestinationsService
}

export const alertsRoutes = (router: Router, { alerts: service, destinations }: Services) => {
  serve(router, alerts.listRules, ({ query }, { actor }) => service.rules(actor, query.owner))
  serve(router, alerts.createRule, ({ body }, caller) => service.createRule(caller, body))
  serve(router, alerts.updateRule, ({ body }, caller) => service.updateRule(caller, body))
  serve(router, alerts.removeRule, ({ params }, caller) => service.removeRule(caller, params.id))
  serve(router, alerts.listDestinations, ({ query }, { actor }) => destinations.list(actor, query.owner))
  serve(router, alerts.createDestination, ({ body }, caller) => destinations.create(caller, body))
  serve(router, alerts.updateDestination, ({ body }, caller) => destinations.update(caller, body))
  serve(router, alerts.removeDestination, ({ params }, caller) => destinations.remove(caller, params.id))
  serve(router, alerts.testDestination, ({ params }, { actor }) => destinations.test(actor, params.id))
  serve(router, alerts.listDeliveries, ({ query }, { actor }) => service.deliveries(actor, query))
}
