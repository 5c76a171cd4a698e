/* A bus, to which functions listen. */
typedef void (*bus_listener)(double value, void *context);

/* Have `call` called with each value, until the listener is removed. Return its number, or -1 if
 * there are 16 listeners already. */
int bus_listen(bus_listener call, void *context);

/* Remove the listener of that number. */
void bus_remove(int number);

/* Call all listeners with the value, in the order of their numbers. */
void bus_send(double value);
