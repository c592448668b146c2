import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import software.amazon.dynamodb.services.local.main.ServerRunner;
import software.amazon.dynamodb.services.local.server.DynamoDBProxyServer;

/** DynamoDB Local on loopback alone: by itself it listens on every interface. */
public class LoopbackServer {
  public static void main(String[] args) throws Exception {
    var settings = new String[] {"-inMemory", "-disableTelemetry", "-port", args[0]};
    var proxy = ServerRunner.createServerFromCommandLineArgs(settings);
    var server = DynamoDBProxyServer.class.getDeclaredField("server");
    server.setAccessible(true);
    for (var connector : ((Server) server.get(proxy)).getConnectors())
      ((ServerConnector) connector).setHost("127.0.0.1");
    proxy.start();
    proxy.join();
  }
}
